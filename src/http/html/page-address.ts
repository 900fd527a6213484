/** Schemes of addresses that a page may link to, send a form to, or show an image of. */
const SCHEMES = ['http', 'https', 'mailto', 'tel', 'otpauth']

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]*={0,2}$/

/** An address that `pageAddress` has checked; attributes such as `href` accept no other value. */
export class PageAddress {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  /**
   * Checks a relative address, an address with a known scheme, or an image as `data:` URL. Throws for any other
   * address.
   */
  static checked(text: string): PageAddress {
    // Browsers remove control characters and outer blanks before they look for a scheme.
    if (/[\p{Cc}\s]/u.test(text)) throw new Error('An address of a page has a blank or a control character')
    const scheme = /^([^/?#]*?):/.exec(text)?.[1]?.toLowerCase()
    if (scheme === undefined || SCHEMES.includes(scheme) || IMAGE.test(text)) return new PageAddress(text)
    throw new Error(`An address of a page has the scheme ${JSON.stringify(scheme)}`)
  }
}

/**
 * Checks an address for attributes such as `href`. Throws for `javascript:` and other schemes that pages do not use.
 */
export function pageAddress(text: string): PageAddress {
  return PageAddress.checked(text)
}
