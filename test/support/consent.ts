import { expectHtml } from './strict-html.js'

/** A browser without a screen. It keeps cookies, sends forms, and follows no redirect to other services. */
export class Visitor {
  readonly cookies = new Map<string, string>()

  /** `from` is the address that a proxy names; without it the browser is on this machine. */
  constructor(public from?: string) {}

  async get(address: string | URL): Promise<Response> {
    return await this.kept(await fetch(address, { headers: this.headers(), redirect: 'manual' }))
  }

  /** Sends the form of a page with its hidden fields and the given fields; `page` is the page's address. */
  async send(
    page: string,
    address: string | URL,
    fields: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const action = /action="([^"]*)"/.exec(page)?.[1] ?? ''
    const body = new URLSearchParams({ ...hiddenIn(page), ...fields })
    const target = new URL(unescaped(action), address)
    return await this.kept(
      await fetch(target, { method: 'POST', headers: this.headers(), body, redirect: 'manual' }),
    )
  }

  private headers(): Record<string, string> {
    return {
      cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
      ...(this.from !== undefined && { 'x-forwarded-for': this.from }),
    }
  }

  /** Stores the cookies of an answer, and fails if its page is not strict HTML. */
  private async kept(response: Response): Promise<Response> {
    if (response.headers.get('content-type')?.startsWith('text/html'))
      expectHtml(await response.clone().text())
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    return response
  }
}

function hiddenIn(page: string): Record<string, string> {
  const [, ...found] = page.split('<input type="hidden" name="')
  const [first = ''] = found
  const [, name = '', value = ''] = /^([^"]*)" value="([^"]*)"/.exec(first) ?? []
  return { [name]: unescaped(value) }
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** Opens an address that requests access, signs in and grants the access; returns the final redirect address. */
export async function consenting(
  address: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<URL> {
  const visitor = new Visitor()
  const signIn = await (await visitor.get(address)).text()
  const begun = await visitor.send(signIn, address, credentials)
  if (begun.status !== 303) throw new Error(await begun.text())
  const consent = await (await visitor.get(address)).text()
  const granted = await visitor.send(consent, address, { do: 'allow' })
  const target = granted.headers.get('location')
  if (granted.status !== 303 || target === null) throw new Error(await granted.text())
  return new URL(target)
}
