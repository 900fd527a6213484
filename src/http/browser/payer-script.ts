/**
 * The script of payers' pages. Pages without fields of a processor also work without the script. It prints, shows local
 * times, and polls while a payment is open. Its texts are attributes of the page.
 */
import './payer/payer-form.js'
import { prepare } from './payer/prepare.js'

prepare()
