import { expectHtml } from './strict-html.js'

/** A page or another answer, as received by the browser. */
export interface BrowserPage {
  /** Path and query of the request. */
  readonly path: string
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** Address of a redirect; empty if there is none. */
  readonly location: string
}

/** A form that a page sends by POST. */
export interface PostedForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** A browser without a screen: it keeps cookies, sends forms as Chromium does, and follows no redirect by itself. */
export class ConsoleBrowser {
  readonly cookies = new Map<string, string>()

  /** `from` is the address that a proxy names. */
  constructor(
    readonly address: string,
    readonly from?: string,
  ) {}

  async get(path: string, method: 'GET' | 'HEAD' = 'GET'): Promise<BrowserPage> {
    return await this.request(path, { method })
  }

  /** Follows redirects of this service, starting with a received page. */
  async follow(page: BrowserPage): Promise<BrowserPage> {
    let here = page
    for (let hops = 0; here.location !== '' && hops < 5; hops++) here = await this.get(here.location)
    return here
  }

  async post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<BrowserPage> {
    return await this.request(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  }

  /** Sends the last form of a page with its hidden fields and the given fields. */
  async submit(page: BrowserPage, fields: Readonly<Record<string, string>> = {}): Promise<BrowserPage> {
    const form = formsOf(page).at(-1)
    if (!form) throw new Error(`${page.path} has no form: ${page.status} ${page.text}`)
    return await this.post(form.action, { ...form.fields, ...fields })
  }

  private async request(path: string, init: RequestInit): Promise<BrowserPage> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const forwarded = this.from === undefined ? {} : { 'x-forwarded-for': this.from }
    const headers = { ...init.headers, ...forwarded, ...(cookie === '' ? {} : { cookie }) }
    const response = await fetch(new URL(path, this.address), { ...init, headers, redirect: 'manual' })
    const text = await response.text()
    if (response.headers.get('content-type')?.startsWith('text/html') && text !== '') expectHtml(text)
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const location = response.headers.get('location') ?? ''
    return { path, status: response.status, text, headers: response.headers, location }
  }
}

/** Forms that a page sends by POST. */
export function formsOf({ text, path }: BrowserPage): PostedForm[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', content = '']) => {
      const inputs = content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
      const fields = [...inputs].map(([, name = '', value = '']) => [name, unescaped(value)] as const)
      return { action: unescaped(action) || path, fields: Object.fromEntries(fields) }
    },
  )
}

/** Addresses that a page links to on this service, without fragments. */
export function linksOf({ text }: Pick<BrowserPage, 'text'>): string[] {
  return [...text.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, address = '']) => unescaped(address))
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
