// TypedSearch: a search field. The list and the URL change when the user pauses, not on every key.
//   T1. A value that comes back from the URL does not replace typed text, so no space or newer letter is lost.

import { Search } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { inputClass } from "./field.tsx";

export interface TypedSearchProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** With a magnifying glass. */
  icon?: boolean;
  inputRef?: RefObject<HTMLInputElement | null>;
  className?: string;
}

const typingMs = 200;

export function TypedSearch({ label, placeholder, value, onChange, icon, inputRef, className = "" }: TypedSearchProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the wait.
  useEffect(() => {
    if (text.trim() === told.current) return;
    const timer = setTimeout(() => {
      told.current = text.trim();
      onChange(told.current);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="relative min-w-28 flex-1 sm:max-w-56">
      {icon && <Search className="absolute top-2.25 left-2.5 text-muted" />}
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className={classes(inputClass, "h-8 !border-edge/60", icon && "pl-8", className)}
      />
    </span>
  );
}
