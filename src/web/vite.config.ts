// vite.config: src/web becomes dist/web, which the server hands out (spec 5.2). scripts/build.ts calls it.
//   V1. Nothing inline: the page's policy allows no script but files of ours (spec 4.3 S6).
//   V2. Every screen is a chunk of its own; what the first page loads stays below its bound (test/web/size.test.ts).

import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Rooms below the web load some parts on demand; where the web needs them at once, that is as it should be. */
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
