import { type ComponentError, componentError } from './component-errors.js'

const scripts = new Map<string, Promise<void>>()

export function keptAway(host: string): ComponentError {
  return componentError({
    error_type: 'ServiceUnavailable',
    error_description: `The fields did not load: something keeps ${host} away. Nothing was paid`,
  })
}

/** Loads the script of a gateway once; rejects if the network or a content blocker stops it. */
export function loadRail(address: string): Promise<void> {
  const known = scripts.get(address)
  if (known !== undefined) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      scripts.delete(address)
      reject(keptAway(new URL(address).host))
    })
    script.src = address
    document.head.append(script)
  })
  scripts.set(address, loading)
  return loading
}
