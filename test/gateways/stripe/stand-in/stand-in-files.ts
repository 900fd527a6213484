import { readFile } from 'node:fs/promises'

const FIELD = /^\/elements\/(card|cardNumber|cardExpiry|cardCvc)$/
const WHOLE = ['cardNumber', 'cardExpiry', 'cardCvc']

const LABELS: Readonly<Record<string, string>> = {
  cardNumber: 'Credit or debit card number',
  cardExpiry: 'Credit or debit card expiration date',
  cardCvc: 'Credit or debit card CVC/CVV',
}

/** A file of the substitute for Stripe.js, with its media type. */
export interface StandInFile {
  readonly type: string
  readonly text: string
}

/** The file at a path: the script for pages, or the page inside a field's frame; undefined for any other path. */
export async function standInFile(path: string): Promise<StandInFile | undefined> {
  if (path === '/endive/stripe.js') return { type: 'text/javascript', text: await fileOf('stripe-js.js') }
  const type = FIELD.exec(path)?.[1]
  if (type === undefined) return undefined
  const script = await fileOf('field-frame-script.js')
  const style =
    'body{margin:0}input{width:100%;padding:0;border:0;outline:0;font:16px sans-serif;background:none}'
  const fields = (type === 'card' ? WHOLE : [type]).map(
    (name) => `<input name="${name}" aria-label="${LABELS[name]}" inputmode="numeric" autocomplete="off">`,
  )
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${type}</title><style>${style}</style>${fields.join('')}<script>{${script}}</script></html>`
  return { type: 'text/html', text }
}

async function fileOf(name: string): Promise<string> {
  return await readFile(`test/gateways/stripe/stand-in/${name}`, 'utf8')
}
