/**
 * Part of page scripts for the authentication of a payer. The processor's script shows the bank's page over this page.
 */
export const ACTION_PART = `
/**
 * Loads the page again, to show the outcome that this service has found. Waits until the service can be reached,
 * because the browser would otherwise show an error page.
 */
async function showOutcome() {
  for (;;) {
    try {
      // A redirect may lead to another site, whose answer this page may not read.
      if ((await fetch(location.href, { redirect: 'manual' })).status < 500) break
    } catch {
      // There is no network just now.
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  // After the reload, the step does not start again by itself.
  history.replaceState({ tried: true }, '')
  location.reload()
}

/** Lets the payer confirm. The result of the processor's script is not used: the service finds the outcome. */
async function confirmStep(step, button) {
  button.disabled = true
  const { publishableKey, ...options } = JSON.parse(step.dataset.settings ?? '{}')
  try {
    await window.Stripe?.(publishableKey, options).handleNextAction({ clientSecret: step.dataset.secret ?? '' })
  } finally {
    void showOutcome()
  }
}

function beginStep() {
  const step = document.getElementById('confirm')
  const button = step?.querySelector('button')
  const blocked = document.getElementById('blocked')
  if (!step || !button || !blocked || typeof window.Stripe !== 'function') return
  blocked.hidden = true
  step.hidden = false
  button.addEventListener('click', () => void confirmStep(step, button))
  if (!history.state?.tried) void confirmStep(step, button)
}

beginStep()
`

/**
 * The script of the page on which a payer authenticates. The page's Content Security Policy allows this constant by its
 * hash. The script reloads the page to get the outcome from this service, as the browser's report is not trusted.
 */
export const ACTION_SCRIPT = `'use strict'
{
${ACTION_PART}}
`
