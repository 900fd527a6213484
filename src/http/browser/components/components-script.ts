import { createHash } from 'node:crypto'
import { ACCOUNT_COMPONENT } from './account-component-script.js'
import { ACTION_COMPONENT } from './action-component-script.js'
import { CHECKOUT_COMPONENT } from './checkout-component-script.js'
import { COMPONENT_ERRORS } from './component-errors.js'
import { COMPONENT_EVENTS } from './component-events.js'
import { COMPONENT_MESSAGES } from './component-messages.js'
import { CONNECT_COMPONENT } from './connect-component.js'
import { HOSTED_COMPONENT } from './hosted-component.js'
import { PAGE_EFFECTS } from './page-effects.js'
import { PAGE_FIELD } from './page-field.js'
import { PAGE_FORM } from './page-form.js'
import { PAGE_VALUES } from './page-values.js'
import { PAYLOAD_FUNCTION } from './payload-function.js'
import { RAIL_PAGE_FIELD } from './rail-page-field.js'
import { RANDOM_HEX } from './random-hex.js'

/** Parts of the script in order; each may use those before it. */
const PARTS = [
  RANDOM_HEX,
  COMPONENT_EVENTS,
  COMPONENT_ERRORS,
  COMPONENT_MESSAGES,
  PAYLOAD_FUNCTION,
  PAGE_EFFECTS,
  PAGE_FIELD,
  RAIL_PAGE_FIELD,
  PAGE_VALUES,
  HOSTED_COMPONENT,
  ACTION_COMPONENT,
  PAGE_FORM,
  CHECKOUT_COMPONENT,
  ACCOUNT_COMPONENT,
  CONNECT_COMPONENT,
]

/** The script of the components of pages. */
export interface ComponentsScript {
  readonly text: string
  /** Path that contains a hash of the text. */
  readonly path: string
  /** Value of the attribute `integrity` of its element. */
  readonly integrity: string
}

/** `/Payload.js`, which pages of shops load; `fieldsUrl` is the address of the frames if they have an origin of their own. */
export function componentsScript(fieldsUrl?: string): ComponentsScript {
  const text = `/*! payctl: components for pages that take payments. */
(() => {
'use strict'
const FIELDS_URL = ${JSON.stringify(fieldsUrl === undefined ? null : fieldsUrl.replace(/\/*$/, '/'))}
${PARTS.join('')}})()
`
  return { text, ...scriptPlace(text) }
}

/** Path and integrity of a script with this text. */
export function scriptPlace(text: string): Pick<ComponentsScript, 'path' | 'integrity'> {
  const digest = createHash('sha384').update(text).digest()
  return {
    path: `/Payload.${digest.toString('hex').slice(0, 20)}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}
