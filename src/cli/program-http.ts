// program-http: `curlew http` in the help and completions, built from the command's own table (http/options.ts).

import { HTTP_OPTIONS } from "./http/options.ts";
import type { Add, Ends } from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

export function addHttpCommand(program: CurlewCommand, ends: Ends, add: Add): void {
  const command = add(
    program,
    "http <method> <url>",
    "Call an API: a small HTTP client for nodes and terminals, also where curl is missing. Prints the body.",
    [
      "curlew http GET https://api.github.com/repos/curl/curl/issues --query per_page=100 --paginate link --lines",
      "curlew http POST https://api.example.com/items --json @- --auth bearer=TOKEN < item.json",
      "curlew http GET https://api.example.com/items --retry 3 --max-time 30s",
      "echo '{\"id\": 7}' | curlew http POST https://api.example.com/graphql --graphql 'query($id: Int!) { item(id: $id) { name } }'",
    ],
    EXIT_CODES,
  );
  for (const { name, short, value, about, kind } of HTTP_OPTIONS)
    command.option(
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      about,
      kind === "many" ? (one: string, before: string[] | undefined) => [...(before ?? []), one] : (undefined as never),
    );
  // The entry parses calls itself (M2 of main.ts). This action serves only other uses, such as help.
  command.action(() => ends(import("./http/main.ts").then((it) => it.main(process.argv.slice(3)))));
}

const EXIT_CODES = `
Exit codes are curl's where they mean the same: 6 the host is not known, 7 refused, 22 a status of 400 and more, 28 too slow,
35 TLS, 47 redirects, 60 certificate. 110 to 113: pages and GraphQL. 2: the command line is wrong, nothing was sent.
`;
