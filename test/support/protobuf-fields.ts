/** The fields of a message in the binary form of Protocol Buffers, by their numbers. */
export class ProtobufFields {
  private readonly values = new Map<number, Array<bigint | Buffer>>();

  constructor(bytes: Buffer) {
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at]!;
        at += 1;
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const take = (length: number): Buffer => {
      at += length;
      return bytes.subarray(at - length, at);
    };
    while (at < bytes.length) {
      const key = Number(varint());
      const [field, type] = [key >> 3, key & 7];
      const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()));
      this.values.set(field, [...(this.values.get(field) ?? []), value]);
    }
  }

  messages(field: number): ProtobufFields[] {
    return this.bytes(field).map((bytes) => new ProtobufFields(bytes));
  }

  bytes(field: number): Buffer[] {
    return (this.values.get(field) ?? []).map((value) => Buffer.from(value as Buffer));
  }

  has(field: number): boolean {
    return this.values.has(field);
  }

  hex(field: number): string {
    return this.bytes(field)[0]?.toString('hex') ?? '';
  }

  text(field: number): string {
    return this.bytes(field)[0]?.toString() ?? '';
  }

  whole(field: number): number {
    return Number((this.values.get(field)?.[0] as bigint | undefined) ?? 0n);
  }

  fixed64(field: number): number {
    return Number(this.bytes(field)[0]?.readBigUInt64LE() ?? 0n);
  }

  double(field: number): number {
    return this.bytes(field)[0]?.readDoubleLE() ?? 0;
  }
}
