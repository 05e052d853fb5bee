import { error, warning } from "./base.ts";

/** `kind`: `a bearer token`. */
export const credentialInDocument = error("credential-in-document", (kind: string, isKey: boolean) => [
  `This looks like ${kind}. Everyone who can read the file or its history could use it.`,
  isKey ? `Move the key to a separate file, and name that file in the command. ${RENEW}` : `${LIFT_OUT} ${RENEW}`,
]);
export const credentialLikely = warning("credential-likely", (kind: string) => [
  `This may be ${kind}, which should not be in a file.`,
  LIFT_OUT,
]);

const LIFT_OUT =
  'Declare it as secrets: [NAME], write ${NAME} here, and set NAME in the environment, in a file for --env-file, or with "curlew secrets set NAME".';
const RENEW = "Replace it at its source if it was ever committed or shared.";
