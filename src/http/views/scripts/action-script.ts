/**
 * The script of the page on which a payer authenticates, a constant that its policy allows by its hash. The processor's
 * script shows the bank's page in an overlay of its own. What came of it is asked of this service by loading the page
 * again, never taken from the browser.
 */
export const ACTION_SCRIPT = `'use strict'
{
const step = document.getElementById('confirm')
const button = step?.querySelector('button')

async function confirm() {
  button.disabled = true
  const { publishableKey, ...options } = JSON.parse(step.dataset.settings)
  try {
    await Stripe(publishableKey, options).handleNextAction({ clientSecret: step.dataset.secret })
  } finally {
    // A page that is loaded again does not begin anew by itself.
    history.replaceState({ tried: true }, '')
    location.reload()
  }
}

if (step && typeof Stripe === 'function') {
  document.getElementById('blocked').hidden = true
  step.hidden = false
  button.addEventListener('click', () => void confirm())
  if (!history.state?.tried) void confirm()
}
}
`
