import type { FieldsOrigins } from '../../domain/gateways/payer-entry.js'
import { DEFAULT_LANGUAGE, type Language } from '../../schema/language.js'
import { type BuiltScript, builtStyle } from './built-file.js'
import { builtElement, element, type Html, html } from './html.js'
import { ICON_URL } from './icon.js'
import { pageAddress } from './page-address.js'

const STYLE = builtStyle('page')

/** The parts of a page. */
export interface PageParts {
  readonly title: string
  /** The content of `<main>`. */
  readonly body: Html
  /** Script that runs when the page is loaded; the page works without it. */
  readonly script?: BuiltScript
  /** Whether the script may send requests to this service. */
  readonly connects?: boolean
  /** Origins besides this one to which forms may send or redirect. */
  readonly formTargets?: readonly string[]
  /** Origins of a processor whose fields are in the page. */
  readonly origins?: FieldsOrigins
  /** Whether the page may send messages to the window that opened it. */
  readonly keepsOpener?: boolean
  readonly width?: 'wide' | 'framed' | undefined
  /** Pages that may show this page in a frame, as `https://shop.example`; none by default. */
  readonly frameAncestors?: readonly string[]
  /** English by default. */
  readonly language?: Language
}

/** A page and the headers to send it with. */
export interface HtmlPage {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A page in the common style. Its policy allows this style and this script, no other resource and no frame around it; its
 * address is sent to no other site.
 */
export function page(parts: PageParts): HtmlPage {
  const { title, body, script, keepsOpener, width, language = DEFAULT_LANGUAGE } = parts
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${pageAddress(ICON_URL)}">
<title>${title}</title>
${builtElement(STYLE)}</head>
<body>
${element('main', { class: width, 'aria-label': width === 'framed' ? title : undefined }, '\n', body, '\n')}
${script === undefined ? undefined : builtElement(script)}</body>
</html>
`.text
  const headers = { ...PAGE_HEADERS, ...opener(keepsOpener), 'content-security-policy': policy(parts) }
  return { text, headers: parts.frameAncestors === undefined ? headers : framed(headers, parts.origins) }
}

/** Makes a page from its parts: the function `page`, or a function that makes pages for a frame. */
export type ShowPage = (parts: PageParts) => HtmlPage

/** Headers of every page, besides its policy. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const

/**
 * Headers of a page in a frame. Headers that forbid every frame are left out: the policy names the pages that may show
 * this page. Pages that are isolated from other origins can contain this page, too. The exception is a page with the
 * script and fields of a processor, which do not work in isolation.
 */
function framed(
  headers: Readonly<Record<string, string>>,
  { frame } = NO_ORIGINS,
): Readonly<Record<string, string>> {
  const { 'x-frame-options': _, ...others } = headers
  return {
    ...others,
    ...(frame.length === 0 && { 'cross-origin-embedder-policy': 'require-corp' }),
    'cross-origin-resource-policy': 'cross-origin',
  }
}

const NO_ORIGINS: FieldsOrigins = { script: [], frame: [], connect: [] }

function opener(keepsOpener = false): Readonly<Record<string, string>> {
  return { 'cross-origin-opener-policy': keepsOpener ? 'unsafe-none' : 'same-origin' }
}

function policy(parts: PageParts): string {
  const { script, connects, formTargets = [], frameAncestors = ["'none'"], origins = NO_ORIGINS } = parts
  const scripts = [...(script === undefined ? [] : [script.source]), ...origins.script]
  const connections = [...(connects ? ["'self'"] : []), ...origins.connect]
  return [
    "default-src 'none'",
    `style-src ${STYLE.source}`,
    ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
    ...(connections.length === 0 ? [] : [`connect-src ${connections.join(' ')}`]),
    ...(origins.frame.length === 0 ? [] : [`frame-src ${origins.frame.join(' ')}`]),
    'img-src data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ')
}
