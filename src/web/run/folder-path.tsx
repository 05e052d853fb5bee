// FolderPath: a folder as its owner would write it, `~/flows`, with the exact path to hover and to copy.

import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { visible } from "../../base/visible.ts";
import { serverQuery } from "../client/queries.ts";
import { copyText } from "../ui/copy.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { homePath } from "../ui/words.ts";

export function FolderPath({ path }: { path: string }) {
  const userHome = useQuery(serverQuery).data?.userHome;
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 break-words" title={visible(path)}>
        {visible(homePath(path, userHome))}
      </code>
      <IconButton
        label="Copy the folder's whole path"
        size="small"
        className="-my-0.5"
        icon={<Copy size={12} />}
        onClick={() => void copyText(path, "Copied the path")}
      />
    </span>
  );
}
