// main: the entry of the web UI. It removes the link's one-time code from the URL at once and exchanges it before the
// first render.

import "./app/styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { LucideProvider } from "lucide-react";
import { Tooltip } from "radix-ui";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.tsx";
import { queryClient } from "./client/queries.ts";
import { signInFromAddress } from "./client/session.ts";

// Dialogs lock scrolling with an inline style, which the page's policy allows through this nonce (get-nonce).
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content,
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
void signInFromAddress().then(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LucideProvider size={14}>
          <Tooltip.Provider>
            <RouterProvider router={router} />
          </Tooltip.Provider>
        </LucideProvider>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
