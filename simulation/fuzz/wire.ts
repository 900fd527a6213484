import type { InjectOptions } from 'fastify'
import type { Json } from '../../src/schema/json.js'
import type { Chance } from '../../test/support/chance.js'
import type { FuzzRequest } from './request.js'

type Headers = Record<string, string>

const BOUNDARY = 'fuzz'

/** Converts a request into an HTTP request, with address, headers and body. */
export function injected(chance: Chance, request: FuzzRequest, credential: string): InjectOptions {
  const search = request.query.length === 0 ? '' : `?${searchOf(request)}`
  const { type, payload } = payloadOf(chance, request)
  const prefer = [...(request.dryRun ? ['dry-run'] : []), ...(request.count ? ['count=exact'] : [])].join(
    ', ',
  )
  const headers: Headers = {
    authorization: `Bearer ${credential}`,
    ...(payload === undefined ? {} : { 'content-type': type }),
    ...(prefer === '' ? {} : { prefer }),
    ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
    ...(request.wire === 'broken' ? chance.pick(TRICKS) : {}),
  }
  const url = request.path + (request.wire === 'broken' ? (chance.pick(SEARCHES) ?? '') : search)
  return { method: request.method, url, headers, ...(payload === undefined ? {} : { payload }) }
}

function searchOf({ query }: FuzzRequest): string {
  return String(new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])))
}

/** Headers that may reveal bugs in parsers. */
const TRICKS: readonly Headers[] = [
  {},
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'text/html' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': `multipart/form-data; boundary=${'x'.repeat(500)}` },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'x-api-version': 'v999' },
  { 'x-api-version': '__proto__' },
  { authorization: 'Basic ' },
  { authorization: 'Basic !!!' },
  { authorization: `Basic ${Buffer.from('a:b:c\u0000').toString('base64')}` },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { authorization: 'Digest username="a"' },
  { prefer: 'dry-run;=,,"count=exact"' },
  { 'x-forwarded-for': '::1, garbage, 1.2.3.4' },
  { 'x-http-method-override': 'DELETE' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'k'.repeat(300) },
  { host: '' },
  { accept: 'application/xml' },
  { range: 'bytes=0-1' },
  { expect: '200-ok' },
]

const SEARCHES = [
  '?%',
  '?%zz=1',
  '?=&=&=',
  '?a[b=1',
  '?]=[',
  '?a[]=1&a[][]=2',
  '?&&&',
  '??limit=1',
  '?limit',
  '?limit=1&limit=2',
  '?fields=,,',
  '?id[__proto__]=x',
  '?%00=%00',
  '?a=%C3%28',
  '#x',
]

interface Payload {
  readonly type: string
  readonly payload: string | Buffer | undefined
}

function payloadOf(chance: Chance, { wire, body }: FuzzRequest): Payload {
  if (body === undefined) return { type: '', payload: undefined }
  if (wire === 'form')
    return { type: 'application/x-www-form-urlencoded', payload: String(new URLSearchParams(flat(body))) }
  if (wire === 'multipart')
    return { type: `multipart/form-data; boundary=${BOUNDARY}`, payload: multipart(flat(body)) }
  const text = JSON.stringify(body)
  return { type: 'application/json', payload: wire === 'broken' ? broken(chance, text) : text }
}

/** A JSON text with a random error. */
function broken(chance: Chance, text: string): string | Buffer {
  switch (chance.integer(0, 8)) {
    case 0:
      return text.slice(0, chance.integer(0, text.length))
    case 1:
      return `${text},${text}`
    case 2:
      return text.replace(/\d+/, '1e999')
    case 3:
      return Buffer.from(text, 'utf16le')
    case 4:
      return Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28, 0xff])])
    case 5:
      return '['.repeat(chance.integer(30, 5_000))
    case 6:
      return text.replace('{', '{"__proto__":{"manage":true},"constructor":{"prototype":{"x":1}},')
    case 7:
      return text.replace('{', '{"id":1,"id":"2",')
    default:
      return `\ufeff${text}`
  }
}

/** Form fields for a JSON value, such as `card[number]`. */
function flat(value: Json, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((part, at) => flat(part, `${name}[${at}]`))
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]]
  return Object.entries(value).flatMap(([key, part]) => flat(part, name === '' ? key : `${name}[${key}]`))
}

function multipart(fields: readonly [string, string][]): string {
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}
