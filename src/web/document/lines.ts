// lines: finds the lines of an item or a field in a YAML text, together with its comments.
//   L1. Comments directly above it, without an empty line between, belong to it. So do deeper comments directly below
//       it.
//   L2. The first lines of a file belong to the file, not to its first field.

export class Lines {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  startOf(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The offset after the newline of the line that contains `offset`, an exclusive end. */
  endOf(offset: number): number {
    if (offset > 0 && this.text[offset - 1] === "\n") return offset;
    const at = this.text.indexOf("\n", offset);
    return at < 0 ? this.text.length : at + 1;
  }

  column(offset: number): number {
    return offset - this.startOf(offset);
  }

  /** Whether only blanks precede it on its line. */
  isFirst(offset: number): boolean {
    return /^[ ]*$/.test(this.text.slice(this.startOf(offset), offset));
  }

  /** The end, including comments below that are indented deeper than `column`. */
  endWithComments(offset: number, column: number): number {
    let end = this.endOf(offset);
    for (;;) {
      const next = this.endOf(end + 1);
      const line = this.text.slice(end, next);
      const comment = /^( *)#/.exec(line);
      if (end >= this.text.length || comment === null || comment[1]!.length <= column) return end;
      end = next;
    }
  }

  /** The start, including comments directly above that are not indented deeper. */
  startWithComments(offset: number): number {
    const first = this.startOf(offset);
    const column = offset - first;
    let start = first;
    while (start > 0) {
      const above = this.startOf(start - 1);
      const comment = /^( *)#/.exec(this.text.slice(above, start));
      if (comment === null || comment[1]!.length > column) return start;
      start = above;
    }
    return first;
  }

  commentsAbove(offset: number): string[] {
    const above = this.text.slice(this.startWithComments(offset), this.startOf(offset));
    return above.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  }

  /** The text of the range without its last newline and without indentation. */
  dedented(from: number, to: number): string {
    const column = this.column(from);
    return this.text
      .slice(from, to)
      .replace(/\r?\n$/, "")
      .split(/\r?\n/)
      .map((line, at) =>
        at === 0 ? line : line.startsWith(" ".repeat(column)) ? line.slice(column) : line.trimStart(),
      )
      .join("\n");
  }
}
