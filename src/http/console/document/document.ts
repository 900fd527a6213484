import type { Environment } from '../../../engine/store/database/store.js'
import { type Role, reaches } from '../../../schema/role.js'
import { form, hidden } from '../../html/form.js'
import { element, type Html, html } from '../../html/html.js'
import { ICON_URL } from '../../html/icon.js'
import { type HtmlPage, PAGE_HEADERS } from '../../html/page.js'
import { pageAddress } from '../../html/page-address.js'
import { icon } from '../elements/icons.js'
import { SCRIPT_ADDRESS, STYLE_ADDRESS } from './console-files.js'
import { type ElsewhereTexts, elsewhereHtml } from './elsewhere.js'
import { NAVIGATION } from './navigation.js'

/** Data of the frame around the page of an operator who is signed in: navigation, search and account. */
export interface Frame {
  /** Segments below `/console/{environment}/`. */
  readonly path: readonly string[]
  /** Address of the same page in the other environment. */
  readonly otherAddress: string
  readonly name: string
  readonly role: Role
  readonly formToken: string
  /** The text that is searched for. */
  readonly search?: string | undefined
  /** Filters by date of the page, which the search box sends along. */
  readonly periods: readonly string[]
  readonly elsewhere?: ElsewhereTexts | undefined
}

export interface ConsoleDocument {
  /** Title of the window. */
  readonly title: string
  /** The content of `<main>`. */
  readonly body: Html
  /** Environment of the page; undefined where it is not known, as on an error page. */
  readonly environment?: Environment
  /** Frame around the page; undefined for pages that an operator sees before signing in. */
  readonly frame?: Frame
}

/** Allows only files of this service, and no script that puts text into a page as HTML. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types payctl',
].join('; ')

const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': POLICY,
  // With `no-referrer`, browsers would send no origin with a form either, and the service could not check it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** A whole page of the console. */
export function consoleDocument({ title, body, environment, frame }: ConsoleDocument): HtmlPage {
  const prefix = environment === 'test' ? '[test] ' : ''
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${pageAddress(ICON_URL)}">
<link rel="stylesheet" href="${STYLE_ADDRESS}">
<title>${prefix}${title} · payctl</title>
</head>
<body class="${environment ?? 'none'}">
${frame === undefined ? bareHtml(environment, body) : framedHtml(environment ?? 'test', frame, body)}
<script type="module" src="${SCRIPT_ADDRESS}"></script>
</body>
</html>
`.text
  return { text, headers: HEADERS }
}

function bareHtml(environment: Environment | undefined, body: Html): Html {
  return html`${environment === undefined ? undefined : barHtml(environment)}
<main id="content" class="bare" tabindex="-1">
<p class="brand">payctl</p>
${body}
</main>`
}

function framedHtml(environment: Environment, frame: Frame, body: Html): Html {
  return html`<a class="skip" href="${pageAddress('#content')}">Skip to the content</a>
${barHtml(environment, frame.otherAddress)}
<header class="top">
<p class="brand"><a href="${homeAddress(environment)}">payctl</a></p>
${searchHtml(environment, frame)}
<p class="who"><a href="${pageAddress(`/console/${environment}/set-up`)}" title="Your password and second factor"><bdi>${frame.name}</bdi></a> <span class="faint">${frame.role}</span></p>
${form(`/console/${environment}/sign-out`, frame.formToken, html`<button class="quiet">${icon('log-out')} Sign out</button>`)}
</header>
<nav class="side" aria-label="Pages">
${NAVIGATION.map((group) => groupHtml(environment, frame, group))}
</nav>
<main id="content" tabindex="-1">
${body}
</main>
<footer class="bottom">
${frame.elsewhere && elsewhereHtml(frame.elsewhere)}
<p class="faint">payctl · ${environment} · press <kbd>/</kbd> to search</p>
</footer>`
}

/** The bar that names the environment of the page, with a link to the other environment. */
function barHtml(environment: Environment, otherAddress?: string): Html {
  const other = environment === 'test' ? 'live' : 'test'
  const text = environment === 'test' ? 'Test: no money moves' : 'Live: money moves'
  return html`<aside class="environment" aria-label="Environment"><strong>${text}</strong>
${otherAddress === undefined ? undefined : html`<a href="${pageAddress(otherAddress)}">${icon('arrow-left-right')} Switch to ${other}</a>`}</aside>`
}

function searchHtml(environment: Environment, { search = '', periods }: Frame): Html {
  return html`<form class="search" role="search" action="${pageAddress(`/console/${environment}/search`)}">
<label for="search" class="unseen">Search</label>
${icon('search')}
${periods.map((value) => hidden('within', value))}
<input id="search" type="search" name="q" value="${search}" placeholder="Id, reference, order number, e-mail, amount" autocomplete="off">
</form>`
}

function groupHtml(
  environment: Environment,
  { path, role }: Frame,
  { label, entries }: (typeof NAVIGATION)[number],
): Html | undefined {
  const shown = entries.filter(({ least = 'viewer' }) => reaches(role, least))
  if (shown.length === 0) return undefined
  return html`${
    label === undefined
      ? undefined
      : html`<h2>${label}</h2>
`
  }<ul>
${shown.map((entry) => {
  const isHere = entry.path === (path[0] ?? '')
  const address = pageAddress(`/console/${environment}/${entry.path}`)
  return html`<li>${element('a', { href: address, 'aria-current': isHere ? 'page' : undefined }, icon(entry.icon), ' ', entry.label)}</li>
`
})}</ul>
`
}

function homeAddress(environment: Environment) {
  return pageAddress(`/console/${environment}/`)
}
