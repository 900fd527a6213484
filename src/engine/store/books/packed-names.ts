import { ALPHABET, base62 } from '../../../schema/id-time.js'

/**
 * The names of a commit's rows in bytes, as the log stores them; what is sealed is their text, which comes back to the
 * character. Each begins with a byte that says how it goes on: the number of its beginning (`posting `, `transaction
 * txn_`), which is spelt out where it is the first of its kind, then its id. The digits of an id take 17 bytes; its time,
 * the first six of them, is left out where the digits before have the same.
 */

/** What follows a beginning: 22 digits, or 32 bytes that the name has in base64url. */
const DIGITS = 1
const HASH = 2
/** Instead of a number: the whole name follows as text, after its length. */
const TEXT = 0x7f
/** Beside the number: the time is that of the last digits. */
const SAME_TIME = 0x80

const ID_LENGTH = 22
const TIME_LENGTH = 8
const HASH_LENGTH = 43
/** What these take; the digits after the time are two numbers. */
const TIME_BYTES = 6
const MIDDLE_BYTES = 6
const END_BYTES = 5
const HASH_BYTES = 32

/** Packs names, a line each. */
export function packNames(text: string): Buffer {
  const names = text.split('\n')
  const writer = new NameWriter(Buffer.allocUnsafe(text.length * 3 + names.length * 8))
  for (const name of names) writer.add(name)
  return writer.written()
}

/** The text of packed names; undefined when the bytes are not what `packNames` makes. */
export function unpackNames(bytes: Buffer): string | undefined {
  const reader = new NameReader(bytes)
  const names: string[] = []
  while (!reader.isAtEnd) {
    const name = reader.next()
    if (name === undefined) return undefined
    names.push(name)
  }
  return names.join('\n')
}

/** What the packed name of a row has in it for its id, and few others have. */
export function packedId(id: string): Buffer {
  const kind = kindOf(`x ${id}`)
  if (kind === TEXT) return Buffer.from(id)
  if (kind === HASH) return Buffer.from(id, 'base64url')
  const bytes = Buffer.alloc(MIDDLE_BYTES + END_BYTES)
  writeChance(bytes, 0, id)
  return bytes
}

class NameWriter {
  private readonly beginnings = new Map<string, number>()
  private time: number | undefined
  private at = 0

  /** The bytes have room for all that is written. */
  constructor(private readonly bytes: Buffer) {}

  add(name: string): void {
    const kind = kindOf(name)
    const start = name.length - (kind === HASH ? HASH_LENGTH : ID_LENGTH)
    const beginning = kind === TEXT ? '' : `${kind}${name.slice(0, start)}`
    const known = this.beginnings.get(beginning)
    const number = known ?? this.beginnings.size
    if (kind === TEXT || number >= TEXT) {
      this.addText(name)
      return
    }
    const time = kind === DIGITS ? numberOf(name, start, TIME_LENGTH) : undefined
    const isSame = time !== undefined && time === this.time
    this.byte(isSame ? number | SAME_TIME : number)
    if (known === undefined) {
      this.beginnings.set(beginning, number)
      this.byte(kind)
      this.byte(start)
      this.at += this.bytes.write(name.slice(0, start), this.at, 'latin1')
    }
    if (time === undefined) this.at += this.bytes.write(name.slice(start), this.at, 'base64url')
    else this.addDigits(name, time, isSame)
  }

  written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at))
  }

  private addText(name: string): void {
    this.byte(TEXT)
    this.at = this.bytes.writeUInt32BE(Buffer.byteLength(name), this.at)
    this.at += this.bytes.write(name, this.at)
  }

  private addDigits(name: string, time: number, isSame: boolean): void {
    if (!isSame) this.at = this.bytes.writeUIntBE(time, this.at, TIME_BYTES)
    this.time = time
    this.at = writeChance(this.bytes, this.at, name)
  }

  private byte(value: number): void {
    this.at = this.bytes.writeUInt8(value, this.at)
  }
}

class NameReader {
  private readonly beginnings: { readonly kind: number; readonly text: string }[] = []
  private time = ''
  private at = 0

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length
  }

  /** The next name; undefined when there is none in what comes next. */
  next(): string | undefined {
    const head = this.take(1)?.[0] ?? TEXT
    if (head === TEXT) return this.take(this.take(4)?.readUInt32BE() ?? Infinity)?.toString()
    const { kind, text } = this.beginning(head & ~SAME_TIME) ?? {}
    if (kind === HASH) {
      const hash = this.take(HASH_BYTES)?.toString('base64url')
      return hash && text + hash
    }
    if (kind !== DIGITS) return undefined
    if ((head & SAME_TIME) === 0) {
      const time = this.take(TIME_BYTES)
      if (!time) return undefined
      this.time = base62(time.readUIntBE(0, TIME_BYTES), TIME_LENGTH)
    }
    const chance = this.take(MIDDLE_BYTES + END_BYTES)
    return chance && text + this.time + readChance(chance)
  }

  private beginning(number: number) {
    const { beginnings } = this
    if (number === beginnings.length) {
      const [kind = 0, length = Infinity] = this.take(2) ?? []
      const text = this.take(length)
      if (text) beginnings.push({ kind, text: text.toString('latin1') })
    }
    return beginnings[number]
  }

  private take(count: number): Buffer | undefined {
    const end = this.at + count
    if (end > this.bytes.length) return undefined
    const taken = this.bytes.subarray(this.at, end)
    this.at = end
    return taken
  }
}

function kindOf(name: string): typeof DIGITS | typeof HASH | typeof TEXT {
  if (name.length > LONGEST) return TEXT
  const id = name.slice(-HASH_LENGTH)
  if (NAME_OF_HASH.test(name) && Buffer.from(id, 'base64url').toString('base64url') === id) return HASH
  return NAME_OF_DIGITS.test(name) ? DIGITS : TEXT
}

const NAME_OF_HASH = /^\w+ [\w-]{43}$/
const NAME_OF_DIGITS = /^\w+ \w{0,12}[0-9A-Za-z]{22}$/
/** Of a name that is packed; the length of its beginning is a byte. */
const LONGEST = 100

/** The digits after the time: two numbers, which hold all that they may be. */
function writeChance(bytes: Buffer, start: number, name: string): number {
  const at = name.length - ID_LENGTH + TIME_LENGTH
  const next = bytes.writeUIntBE(numberOf(name, at, 8), start, MIDDLE_BYTES)
  return bytes.writeUIntBE(numberOf(name, at + 8, 6), next, END_BYTES)
}

function readChance(bytes: Buffer): string {
  return base62(bytes.readUIntBE(0, MIDDLE_BYTES), 8) + base62(bytes.readUIntBE(MIDDLE_BYTES, END_BYTES), 6)
}

const VALUES = new Int8Array(128)
for (let value = 0; value < ALPHABET.length; value++) VALUES[ALPHABET.charCodeAt(value)] = value

/** What digits are as a number. */
function numberOf(name: string, start: number, length: number): number {
  let value = 0
  for (let at = start; at < start + length; at++)
    value = value * ALPHABET.length + (VALUES[name.charCodeAt(at)] ?? 0)
  return value
}
