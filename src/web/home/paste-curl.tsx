// PasteCurl: the form in a dialog, from anywhere.

import { closeOverlay } from "../app/overlays.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CurlForm } from "./curl-form.tsx";

export function PasteCurl() {
  return (
    <Dialog
      open
      onClose={closeOverlay}
      title="Paste a curl command"
      description="“Copy as cURL” of a browser's network tab works too. Credentials in it become secrets."
    >
      <div className="pb-3">
        <CurlForm rows={7} autoFocus onDone={closeOverlay} />
      </div>
    </Dialog>
  );
}
