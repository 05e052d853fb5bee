// strayFiles: a file that is let go where nothing takes it would be opened in place of this page. Nothing happens instead.

/** Called once, by the shell. Returns what ends it. */
export function holdStrayFiles(): () => void {
  const onFile = (event: DragEvent): void => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", onFile);
  addEventListener("drop", onFile);
  return () => {
    removeEventListener("dragover", onFile);
    removeEventListener("drop", onFile);
  };
}
