/**
 * Place of an insert in a template. `text` is between tags, `attribute` in a quoted attribute. `address` is in a quoted
 * attribute that holds an address.
 */
export type InsertPlace = 'text' | 'attribute' | 'address'

/** Attributes that hold an address: browsers load it, or go there. */
const ADDRESSES = ['action', 'formaction', 'href', 'src']
/** Attributes that hold a program, a style, a document or several addresses: no value is inserted there. */
const CLOSED = /^(?:on.*|style|srcdoc|srcset|content|data|ping|poster|background)$/

/** Stands for an insert; templates are constants that do not contain it. */
const INSERT = '\0'
const TOKEN =
  /([^<\0]+)|(\0)|(<!doctype html>)|<\/[a-z][a-z0-9]*>|<(style|script)>([^<]*)<\/\4>|<[a-z][a-z0-9]*((?:\s+(?:[a-z-]+|viewBox)(?:="[^"]*")?)*)\s*>/y
const ATTRIBUTE = /([a-z-]+|viewBox)(?:="([^"]*)")?/g

/**
 * The place of each insert of a template. Throws if an insert is inside a tag but outside quotes, or if the template ends
 * inside a tag. Also throws for any other syntax that pages of this service do not use.
 */
export function insertPlaces(parts: readonly string[]): readonly InsertPlace[] {
  const source = parts.join(INSERT)
  const places: InsertPlace[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(source)
    if (!token)
      throw new Error(`A template has no insert or tag that is allowed here: ${source.slice(at, at + 60)}`)
    const [, , insert, , raw, content = '', attributes = ''] = token
    if (insert !== undefined) places.push('text')
    if (content.includes(INSERT)) throw new Error(`Nothing is inserted into a ${raw}`)
    for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE))
      places.push(...placesIn(name, value))
  }
  return places
}

function placesIn(name: string, value: string): readonly InsertPlace[] {
  const inserts = value.split(INSERT).slice(1)
  if (inserts.length === 0) return []
  const place = attributePlace(name)
  if (place === 'address' && value !== INSERT) throw new Error(`${name} is one whole address`)
  return inserts.map(() => place)
}

/** The kind of value that an attribute accepts. Throws for an attribute that accepts only constants. */
export function attributePlace(name: string): 'attribute' | 'address' {
  if (!/^(?:[a-z-]+|viewBox)$/.test(name) || CLOSED.test(name))
    throw new Error(`No value is inserted into ${name}`)
  return ADDRESSES.includes(name) ? 'address' : 'attribute'
}
