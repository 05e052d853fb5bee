// SignInField: the document's named credentials, `auth:` (spec 3.6). Values are templates, and secrets appear only as
// names.

import { Trash2 } from "lucide-react";
import { isMapValue } from "../../document/equal.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { useField } from "../context.ts";
import { documentField } from "../form.ts";
import { AddName } from "./controls.tsx";
import { MapField } from "./map.tsx";

export function SignInField() {
  const field = useField(["auth"]);
  const names = isMapValue(field.value) ? Object.keys(field.value) : [];
  const add = (name: string) => {
    const entry = { type: "bearer", token: "" };
    field.set({ ...(isMapValue(field.value) ? field.value : {}), [name]: entry }, `Add the sign-in ${name}`);
  };
  const { help } = documentField("auth");
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm font-medium">Sign-ins</p>
      {names.map((name) => (
        <fieldset key={name} className="flex flex-col gap-2 rounded-md border border-line p-3">
          <div className="flex items-center justify-between">
            <legend className="font-mono text-sm">{name}</legend>
            <IconButton
              label={`Remove ${name}`}
              icon={<Trash2 size={14} aria-hidden="true" />}
              onClick={() => field.set(without(field.value, name), `Remove the sign-in ${name}`)}
            />
          </div>
          <MapField spec={{ path: ["auth", name], label: "Entries", control: "map", help: "" }} noun="Entry" />
        </fieldset>
      ))}
      <AddName label="Name of a new sign-in" placeholder="github" taken={names} onAdd={add} />
      <p className="text-xs text-muted">{help}</p>
    </div>
  );
}

function without(map: unknown, name: string): unknown {
  if (!isMapValue(map)) return undefined;
  const { [name]: _gone, ...rest } = map;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
