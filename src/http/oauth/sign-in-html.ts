import type { Environment } from '../../engine/store/database/store.js'
import { button, type FormTextField, form, notice, textField } from '../html/form.js'
import { type Html, html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { credentialFields, NEW_EMAIL, NEW_PASSWORD } from '../pages/sign-in-fields.js'

/** Data of every form of the flow. */
export interface FormPage {
  /** Address that the form is sent to: the page's own. */
  readonly here: string
  readonly token: string
  /** Host of the address that the browser shows. */
  readonly host: string
  readonly environment: Environment
  /** The application that requests access. */
  readonly application: string
  readonly isPopUp: boolean
  /** Origins that the form may redirect to. */
  readonly formTargets: readonly string[]
}

/** Earlier input, with its errors. */
export interface FilledSignIn {
  readonly values?: Readonly<Record<string, string | undefined>>
  /** Errors by name of the field. */
  readonly errors?: Readonly<Record<string, string>>
  /** Problem of the form as a whole. */
  readonly problem?: string | undefined
}

/** A form to sign in or to sign up; `other` is the address of the other form. */
interface SigningPage extends FormPage {
  readonly other: string | undefined
}

export function signInPage(signingPage: SigningPage, { values = {}, problem }: FilledSignIn): HtmlPage {
  const { application, here, token, other } = signingPage
  return formPage(signingPage, 'Sign in', [
    html`<h1>Sign in</h1>
<p>to give <strong>${application}</strong> access to your processing accounts. Next, you choose what it gets.</p>`,
    problem === undefined ? undefined : notice('problem', problem),
    form(here, token, credentialFields(values.email, problem !== undefined), actions('Sign in')),
    other === undefined
      ? undefined
      : html`<footer>New here? <a href="${pageAddress(other)}">Sign up your business</a></footer>`,
  ])
}

export function signUpPage(
  signingPage: SigningPage,
  { values = {}, errors = {}, problem }: FilledSignIn,
): HtmlPage {
  const { application, here, token, other } = signingPage
  const fields: readonly FormTextField[] = [
    { name: 'business', label: 'Business name', autocomplete: 'organization' },
    { name: 'industry', label: 'Industry', hint: 'What your business does, as in groceries' },
    { name: 'name', label: 'Your name (optional)', autocomplete: 'name' },
    NEW_EMAIL,
    NEW_PASSWORD,
  ]
  const first = fields.find(({ name }) => name in errors)?.name ?? 'business'
  const filled = fields.map(({ name, ...field }) =>
    textField({ ...field, name, value: values[name], error: errors[name], hasFocus: name === first }),
  )
  const others = Object.entries(errors).filter(([name]) => !fields.some((field) => field.name === name))
  const whole = problem ?? others.map(([name, message]) => `${name}: ${message}`)[0]
  return formPage(signingPage, 'Sign up', [
    html`<h1>Sign up</h1>
<p>to take payments, and to give <strong>${application}</strong> access to your processing account.</p>`,
    whole === undefined ? undefined : notice('problem', whole),
    form(here, token, filled, actions('Sign up')),
    html`<footer>Already signed up? <a href="${pageAddress(other ?? here)}">Sign in</a></footer>`,
  ])
}

/** The main button, and one to cancel. */
function actions(label: string, ...more: readonly Html[]): Html {
  return html`${button(label)}${more}${button('Cancel', { name: 'do', value: 'deny', quiet: true })}`
}

/** A page of the flow. In a pop-up, the page may send the outcome to its opener. */
export function formPage(
  { isPopUp, formTargets, host, environment }: FormPage,
  title: string,
  parts: readonly (Html | undefined)[],
): HtmlPage {
  const isTest = environment === 'test'
  const body = html`<header><span>payctl</span> <span class="faint">${host}</span></header>
${isTest ? notice('note', 'This is the test environment: no money moves here.') : undefined}${parts}`
  return page({
    title: `${title} at ${host}${isTest ? ' [test]' : ''}`,
    body,
    keepsOpener: isPopUp,
    formTargets,
  })
}
