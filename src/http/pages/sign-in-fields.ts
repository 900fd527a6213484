import { type FormTextField, textField } from '../html/form.js'
import type { Html } from '../html/html.js'

/** Shown for a form whose token is not that of the browser's visitor. */
export const STALE_FORM = 'This page was open for too long, or another one was opened since: please try again'

const EMAIL = { name: 'email', label: 'E-mail address', type: 'email', inputmode: 'email' } as const
const PASSWORD = { name: 'password', label: 'Password', type: 'password' } as const

/** The fields to sign in with. After a problem the address is kept, and the password is typed again. */
export function credentialFields(email: string | undefined, hasProblem: boolean): readonly Html[] {
  return [
    textField({ ...EMAIL, autocomplete: 'username', value: email, hasFocus: !hasProblem }),
    passwordField(hasProblem),
  ]
}

/** The field for the password that somebody has. */
export function passwordField(hasFocus: boolean): Html {
  return textField({ ...PASSWORD, autocomplete: 'current-password', hasFocus })
}

/** The fields for the e-mail address and the password that somebody signs up with. */
export const NEW_EMAIL: FormTextField = { ...EMAIL, autocomplete: 'username' }
export const NEW_PASSWORD: FormTextField = {
  ...PASSWORD,
  hint: 'At least 10 characters; a sentence is fine',
  autocomplete: 'new-password',
}
