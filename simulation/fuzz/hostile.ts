import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Chance } from '../../test/support/chance.js'

/** Texts that may reveal bugs in parsers, databases or pages. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '-',
  '.',
  '..',
  '%',
  '*',
  '?',
  '|',
  '0',
  '-0',
  '-1',
  '1e3',
  '1e400',
  '-1e400',
  '0x10',
  '1_000',
  '1,000.00',
  '٣',
  '１２',
  '.5',
  '5.',
  '00012',
  '9007199254740993',
  '99999999999999999999',
  '0.1000000001',
  '1.005',
  '9'.repeat(400),
  '2024-02-30',
  '2023-02-29',
  '0000-00-00',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2031-13-01',
  '2031-01-31 25:00:00',
  '2031-01-31T14:05:00Z',
  '2031-01-31 23:59:60',
  '-000001-01-01',
  '1583-10-15',
  '9999-12-31 23:59:59',
  '0001-01-01 00:00:00',
  '+275760-09-13',
  '24/13',
  '13/39',
  '00/00',
  '1/1',
  '12/2039',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u202e',
  'é',
  'e\u0301',
  '💳',
  '👩‍👩‍👧‍👦',
  'ß',
  'İ',
  'ſ',
  "' or 1=1 --",
  "'; drop table transactions; --",
  '" or ""="',
  '\\',
  "\\'",
  '`',
  '$1',
  ':id',
  '@a',
  '?1',
  '%%',
  '_%',
  '%00',
  '%zz',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '#{7*7}',
  '../../etc/passwd',
  'C:\\',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'length',
  'id',
  'a'.repeat(1001),
  'ü'.repeat(5_000),
  'a@'.repeat(300),
  '(('.repeat(200),
  '{'.repeat(300),
  '['.repeat(300),
  'data:text/plain;base64,SGVsbG8=',
  'data:;base64,',
  'data:text/html,<b>',
  'data:image/png;base64,AAAA',
  'http://[::1',
  'javascript:alert(1)',
  'https://user:pw@host.invalid/',
  'a@b',
  '"a b"@c.de',
  'a@b.c\r\nX: y',
]

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.001,
  1.005,
  0.1 + 0.2,
  100,
  1000,
  1001,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  1e21,
  1e308,
  -1e308,
  5e-324,
  99_999_999.99,
  100_000_000,
  92_233_720_368_547.77,
]

/** Names that code may mistake for something else: inherited properties, empty names, indexes and paths. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'length',
  'then',
  '',
  ' ',
  '0',
  'a[b]',
]

export function hostileText(chance: Chance): string {
  const text = chance.pick(TEXTS) ?? ''
  return chance.percent(10) ? text + (chance.pick(TEXTS) ?? '') : text
}

/** Random JSON, without regard to the expected type. */
export function hostile(chance: Chance): Json {
  switch (chance.integer(0, 11)) {
    case 0:
      return null
    case 1:
      return chance.percent(50)
    case 2:
    case 3:
    case 4:
      return chance.pick(NUMBERS) ?? 0
    case 5:
      return chance.percent(50) ? [] : {}
    case 6:
      return nested(chance, chance.integer(2, 40))
    case 7:
      return [hostileText(chance), hostileText(chance)]
    case 8:
      return named(hostileName(chance), hostileText(chance))
    case 9:
      return chance.percent(10) ? Array.from({ length: 1_200 }, () => 'x') : [null, [null]]
    default:
      return hostileText(chance)
  }
}

export function hostileName(chance: Chance): string {
  return (chance.percent(60) ? chance.pick(NAMES) : hostileText(chance)) ?? ''
}

/** An object with an own property of this name, even if the name is special in JavaScript. */
function named(name: string, value: Json): JsonObject {
  return Object.fromEntries([[name, value]])
}

function nested(chance: Chance, depth: number): Json {
  let value: Json = 'x'
  const isList = chance.percent(50)
  for (let n = 0; n < depth; n++) value = isList ? [value] : { a: value }
  return value
}
