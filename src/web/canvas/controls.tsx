// Controls: buttons for zoom, fit to view, and the minimap.

import { Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";

export interface ControlsProps {
  onFit: () => void;
  onZoom: (factor: number) => void;
  minimap: boolean;
  onMinimap: () => void;
}

export function Controls({ onFit, onZoom, minimap, onMinimap }: ControlsProps) {
  return (
    <div className="absolute bottom-3 left-3 z-10 flex rounded-lg border border-line bg-panel p-0.5">
      <IconButton label="Zoom in" size="small" icon={<Plus size={15} />} onClick={() => onZoom(1.25)} />
      <IconButton label="Zoom out" size="small" icon={<Minus size={15} />} onClick={() => onZoom(0.8)} />
      <IconButton
        label="Everything in view"
        shortcut="Shift+1"
        size="small"
        icon={<Maximize size={15} />}
        onClick={onFit}
      />
      <IconButton label="Overview" size="small" pressed={minimap} icon={<MapIcon size={15} />} onClick={onMinimap} />
    </div>
  );
}
