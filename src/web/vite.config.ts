// vite.config: builds src/web into dist/web, which the server serves (spec 5.2). Called by scripts/build.ts.
//   V1. No inline scripts: the page's policy allows only our own script files (spec 4.3 S6).
//   V2. Every screen is a separate chunk. The first page stays below its size limit (test/web/size.test.ts).

import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Shared code loads some modules on demand that the web UI loads at once, so this warning does not apply. */
const checks = { ineffectiveDynamicImport: false };

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
    rolldownOptions: { checks },
  },
  worker: { format: "es", rolldownOptions: { checks } },
  logLevel: "warn",
});
