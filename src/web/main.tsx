// main: the web begins here. The one-time code of the link is exchanged before anything is drawn, and leaves the address bar at once.

import "./app/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { signInFromAddress } from "./client/session.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
await signInFromAddress();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
