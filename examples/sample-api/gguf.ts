// gguf: reads a GGUF file (version 3): settings by name, and tensors of 16- or 32-bit numbers. Source: the GGUF
// specification, https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Deliberately absent: quantised tensors,
// big-endian files.

export interface Tensor {
  values: Float32Array;
  /** How many values a row has. */
  columns: number;
}

/** Each throws if the file has no such thing. */
export interface Gguf {
  number(name: string): number;
  texts(name: string): string[];
  tensor(name: string): Tensor;
}

const ALIGNMENT = 32;

export function readGguf(bytes: Buffer): Gguf {
  const file = new Reader(bytes);
  if (file.text(4) !== "GGUF" || file.u32() !== 3) throw new Error("This is not a GGUF file of version 3.");
  const tensorCount = file.u64();
  const settingCount = file.u64();
  const settings = new Map<string, unknown>();
  for (let i = 0; i < settingCount; i++) settings.set(file.text(), file.value(file.u32()));
  const heads = Array.from({ length: tensorCount }, () => file.head());
  const begin = Math.ceil(file.at / ALIGNMENT) * ALIGNMENT;
  const tensors = new Map(heads.map((head) => [head.name, tensorAt(bytes, begin, head)]));
  const must = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`The GGUF file has no ${name}.`);
    return found;
  };
  return {
    number: (name) => must(settings.get(name) as number | undefined, name),
    texts: (name) => must(settings.get(name) as string[] | undefined, name),
    tensor: (name) => must(tensors.get(name), name),
  };
}

interface Head {
  name: string;
  /** The first is the length of a row. */
  sizes: number[];
  type: number;
  offset: number;
}

const F32 = 0;
const F16 = 1;

function tensorAt(bytes: Buffer, begin: number, { name, sizes, type, offset }: Head): Tensor {
  if (type !== F32 && type !== F16) throw new Error(`The GGUF file's ${name} is of type ${type}: 0 or 1 was expected.`);
  const count = sizes.reduce((product, size) => product * size, 1);
  const values = new Float32Array(count);
  const at = begin + offset;
  for (let i = 0; i < count; i++)
    values[i] = type === F32 ? bytes.readFloatLE(at + 4 * i) : half(bytes.readUInt16LE(at + 2 * i));
  return { values, columns: sizes[0] ?? 1 };
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  return exponent === 31 ? sign * (fraction === 0 ? Infinity : NaN) : sign * (1 + fraction) * 2 ** (exponent - 15);
}

class Reader {
  at = 0;
  private readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.past(4));
  }

  u64(): number {
    return Number(this.bytes.readBigUInt64LE(this.past(8)));
  }

  text(length = this.u64()): string {
    const from = this.past(length);
    return this.bytes.toString("utf8", from, from + length);
  }

  head(): Head {
    const name = this.text();
    const sizes = Array.from({ length: this.u32() }, () => this.u64());
    return { name, sizes, type: this.u32(), offset: this.u64() };
  }

  value(type: number): unknown {
    switch (type) {
      case 4:
        return this.u32();
      case 5:
        return this.bytes.readInt32LE(this.past(4));
      case 6:
        return this.bytes.readFloatLE(this.past(4));
      case 7:
        return this.bytes.readUInt8(this.past(1)) === 1;
      case 8:
        return this.text();
      case 9: {
        const each = this.u32();
        return Array.from({ length: this.u64() }, () => this.value(each));
      }
      default:
        throw new Error(`The GGUF file has a setting of type ${type}, which is not read here.`);
    }
  }

  private past(count: number): number {
    this.at += count;
    return this.at - count;
  }
}
