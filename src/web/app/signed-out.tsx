// SignedOutPage: explains why no one is signed in, and the two ways to sign in: open or paste the server's link (spec
// 4.3 S17).

import { type FormEvent, useState } from "react";
import { codeIn, signIn, useSession } from "../client/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

const WHY = {
  "no-token": "This tab has no session yet.",
  "stale-code": "This link was already used or has expired. Each link works once.",
  "stale-token": "Your session has ended: the server was restarted, or the session was revoked.",
  "no-server": "The server is not responding. Is it running?",
};

export function SignedOutPage() {
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-md rounded-lg border border-line bg-panel p-6">
        <h1 className="text-lg font-semibold">Sign in to Curlew</h1>
        <SignIn />
      </div>
    </main>
  );
}

/** Covers the user's work, which is kept. */
export function SignedOutAgain() {
  return (
    <Dialog open title="Sign in to continue">
      <SignIn />
      <div className="h-3" />
    </Dialog>
  );
}

function SignIn() {
  const why = useSession((state) => state.why) ?? "no-token";
  const [link, setLink] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = codeIn(link);
    setError(code === undefined ? "This is not a Curlew sign-in link. It must end with #code=…" : undefined);
    if (code !== undefined) void signIn(code);
  };
  return (
    <>
      <p className="mt-1 text-muted">{WHY[why]}</p>
      <p className="mt-4">In the folder of your workflows, run this command and open the link that it prints:</p>
      <pre className="mt-2 rounded-md bg-sunken px-3 py-2">curlew serve</pre>
      <form className="mt-4 flex flex-col gap-3" onSubmit={submit}>
        <TextField
          label="Or paste the link here"
          value={link}
          error={error}
          placeholder={`${location.origin}/#code=…`}
          onChange={(event) => setLink(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Sign in
        </Button>
      </form>
    </>
  );
}
