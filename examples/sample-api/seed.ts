// seed: the data of the sample API when it starts and after a reset. Small enough to know by heart: twelve items, three
// users. Tests and the guide quote these rows, so change them only together.

export type Row = Record<string, unknown> & { id: number };

/** Each collection, the member that a new row must have, and its first rows. */
export const COLLECTIONS = {
  items: {
    required: "title",
    defaults: { status: "open", priority: "normal", assignee: null },
    rows: [
      ["Login page ignores the Enter key", "open", "high", 1],
      ["Export stops after 1,000 rows", "open", "high", 2],
      ["Typo in the welcome mail", "closed", "low", 1],
      ["Dark theme flickers on load", "open", "normal", 3],
      ["Search misses words with umlauts", "open", "normal", 2],
      ["Time zone of reports is wrong", "closed", "high", 3],
      ["Add a keyboard shortcut for save", "open", "low", 1],
      ["Avatars are stretched on phones", "closed", "normal", 2],
      ["Sync never ends on slow networks", "open", "high", 3],
      ["Explain the price of the team plan", "closed", "low", 1],
      ["Undo restores the wrong version", "open", "high", 2],
      ["Print view cuts the last column", "open", "low", 3],
    ].map(([title, status, priority, assignee], index) => ({ id: index + 1, title, status, priority, assignee })),
  },
  users: {
    required: "name",
    defaults: {},
    rows: ["Ada", "Grace", "Katherine"].map((name, index) => ({ id: index + 1, name })),
  },
  notes: { required: "text", defaults: {}, rows: [] },
  archive: { required: "title", defaults: {}, rows: [] },
} satisfies Record<string, { required: string; defaults: Record<string, unknown>; rows: Row[] }>;

export type CollectionName = keyof typeof COLLECTIONS;

export function isCollectionName(name: string): name is CollectionName {
  return Object.hasOwn(COLLECTIONS, name);
}

/** The credentials that the protected paths accept. They open nothing but this server; see sample.env. */
export const CREDENTIALS = {
  apiKey: "sample-api-key",
  accessToken: "sample-access-token",
  username: "ada.lovelace",
  password: "sample-password",
  clientId: "sample-client",
  clientSecret: "sample-client-secret",
  publicClientId: "sample-public-client",
  refreshToken: "sample-refresh-token",
} as const;
