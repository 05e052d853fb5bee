// diagnostics/credentials: findings about literal credentials in a workflow file. No message contains the credential.

import type { Diagnostic } from "../diagnostic.ts";
import { type At, error, warning } from "./base.ts";

/** `kind`: `a bearer token`. */
export function credentialInDocument(at: At, kind: string, isKey: boolean): Diagnostic {
  return error(
    at,
    "credential-in-document",
    `This looks like ${kind}. Everyone who reads the file, or a copy of its history, could use it.`,
    isKey
      ? `Keep the key in a file outside of the workflow, and name that file in the command. ${RENEW}`
      : `${LIFT_OUT} ${RENEW}`,
  );
}

export function credentialLikely(at: At, kind: string): Diagnostic {
  return warning(at, "credential-likely", `This may be ${kind}, which belongs into no file.`, LIFT_OUT);
}

const LIFT_OUT =
  'Declare it as secrets: [NAME], write ${NAME} here, and set NAME in the environment, in a file for --env-file, or with "curlew secrets set NAME".';
const RENEW = "Replace it at its source if it was ever committed or shared.";
