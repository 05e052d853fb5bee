// App: wraps every screen in the providers for data, tooltips, icons and the router.

import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { LucideProvider } from "lucide-react";
import { Tooltip } from "radix-ui";
import { queryClient } from "../client/queries.ts";
import { router } from "./router.tsx";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LucideProvider size={14}>
        <Tooltip.Provider>
          <RouterProvider router={router} />
        </Tooltip.Provider>
      </LucideProvider>
    </QueryClientProvider>
  );
}
