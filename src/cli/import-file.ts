// import-file: a program of the user's, imported by its address. A file of its own in the bundle: what is begun with kept code
// (process/compiled.ts) has no `import()`.

export function importFile(url: string): Promise<{ default?: unknown }> {
  return import(url);
}
