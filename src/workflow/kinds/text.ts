// kinds/text: a template that is filled in.

import * as z from "zod/mini";
import { text as textField } from "../schema/fields.ts";
import { title } from "../schema/shared.ts";
import type { Kind } from "./kind.ts";

const data = z.object({ title, content: textField("Text to fill in. A template.") });

export const text: Kind<typeof data> = {
  name: "Text",
  sign: "¶",
  data,
  texts: { content: "template" },
  sources: ({ content }, from) => from.template(content),
  show: ({ content }, { value }) => ({ command: value(content) }),
};
