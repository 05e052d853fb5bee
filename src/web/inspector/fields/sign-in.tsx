// SignInField: the document's named credentials, `auth:` (spec 3.6). Values are templates; a secret stands there by its name.

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { inputClass } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useField } from "../context.ts";
import { isMap } from "../edits.ts";
import { documentField } from "../form.ts";
import { MapField } from "./map.tsx";

export function SignInField() {
  const field = useField(["auth"]);
  const names = isMap(field.value) ? Object.keys(field.value) : [];
  const [adding, setAdding] = useState("");
  const add = () => {
    if (adding === "" || names.includes(adding)) return;
    const entry = { type: "bearer", token: "" };
    field.set({ ...(isMap(field.value) ? field.value : {}), [adding]: entry }, `Add the sign-in ${adding}`);
    setAdding("");
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
      <div className="flex gap-1.5">
        <input
          aria-label="Name of a new sign-in"
          placeholder="github"
          className={classes(inputClass, "h-8 font-mono text-sm")}
          value={adding}
          spellCheck={false}
          onChange={(event) => setAdding(event.target.value.trim())}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
        <Button icon={<Plus size={14} aria-hidden="true" />} disabled={adding === ""} onClick={add}>
          Add
        </Button>
      </div>
      <p className="text-xs text-muted">{help}</p>
    </div>
  );
}

function without(map: unknown, name: string): unknown {
  if (!isMap(map)) return undefined;
  const { [name]: _gone, ...rest } = map;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
