// vite.config: builds src/web into dist/web, which the server serves (spec 5.2). Called by scripts/build.ts.
//   V1. No inline scripts: the page's policy allows only our own script files (spec 4.3 S6).
//   V2. Few chunks, by purpose. The first page stays below its size limit (test/web/shell.test.ts).

import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Shared code loads some modules on demand that the web UI loads at once, so this warning does not apply. */
const checks = { ineffectiveDynamicImport: false };

/**
 * V2. A module goes to the first group that matches, with its static imports. The workers, and the parsers of shell
 * and JSONata stay alone, because they are loaded on demand.
 */
const GROUPS = [
  { name: "framework", tags: ["$initial" as const], test: /node_modules/ },
  { name: "app", tags: ["$initial" as const] },
  { name: "pages", test: /src\/web\/(?:home|runs\/(?!compare)|inbox|secrets|machines|doctor|settings)/ },
  { name: "language", test: /src\/(?:api|base|scheduler|shell|workflow)\/|node_modules\/(?:yaml|zod)\// },
  { name: "run", test: /@xyflow|src\/web\/(?:canvas|runs?)\// },
  { name: "examples", test: /[\\/]examples[\\/]|editor[\\/]examples\.ts/ },
  { name: "editor", test: /@codemirror|@lezer|src\/web\/(?:code|editor|inspector|document|triggers)\// },
].map((group, index) => ({ ...group, priority: 20 - index }));

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: { checks, output: { codeSplitting: { groups: GROUPS } } },
  },
  worker: { format: "es", rolldownOptions: { checks } },
  logLevel: "warn",
});
