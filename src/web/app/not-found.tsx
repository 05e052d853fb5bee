// NotFound: an address that leads nowhere.

import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/empty.tsx";
import { Screen } from "./screen.tsx";

export function NotFound() {
  return (
    <Screen title="Not found">
      <Empty title="Nothing is here">
        <Link to="/" className="text-accent underline">
          Go to the workflows
        </Link>
      </Empty>
    </Screen>
  );
}
