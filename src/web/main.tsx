// main: the web begins here. The one-time code of the link is exchanged before anything is drawn, and leaves the address bar at once.

import "./app/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { signInFromAddress } from "./client/session.ts";

// Dialogs hold the page behind them still by a style of their own, which the page's policy lets in by this (get-nonce).
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content,
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
await signInFromAddress();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
