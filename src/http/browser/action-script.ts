/**
 * The script of the page on which a payer authenticates. It reloads the page to get the outcome from this service, as the
 * browser's report is not trusted.
 */
import { beginStep } from './payer/authentication-step.js'

beginStep()
