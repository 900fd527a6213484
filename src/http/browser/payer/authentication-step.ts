/** Milliseconds between two looks at a service that cannot be reached. */
const PAUSE = 2000

/**
 * Loads the page again, to show the outcome that this service has found. Waits until the service can be reached, because
 * the browser would otherwise show an error page.
 */
async function showOutcome(): Promise<void> {
  for (;;) {
    try {
      // A redirect may lead to another site, whose answer this page may not read.
      if ((await fetch(location.href, { redirect: 'manual' })).status < 500) break
    } catch {
      // There is no network just now.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  // After the reload, the step does not start again by itself.
  history.replaceState({ tried: true }, '')
  location.reload()
}

/** Lets the payer confirm. The result of the processor's script is not used: the service finds the outcome. */
async function confirmStep(step: HTMLElement, button: HTMLButtonElement): Promise<void> {
  button.disabled = true
  const { publishableKey, ...options } = JSON.parse(step.dataset['settings'] ?? '{}')
  try {
    const clientSecret = step.dataset['secret'] ?? ''
    await window.Stripe?.(publishableKey, options).handleNextAction({ clientSecret })
  } finally {
    void showOutcome()
  }
}

/** Begins the authentication of a payer, if the page has one: the processor's script shows the bank's page over it. */
export function beginStep(): void {
  const step = document.getElementById('confirm')
  const button = step?.querySelector('button')
  const blocked = document.getElementById('blocked')
  if (!step || !button || !blocked || typeof window.Stripe !== 'function') return
  blocked.hidden = true
  step.hidden = false
  button.addEventListener('click', () => void confirmStep(step, button))
  if (!history.state?.tried) void confirmStep(step, button)
}
