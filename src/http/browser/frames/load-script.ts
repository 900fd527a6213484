/** Scripts of processors that are loaded or being loaded, by address. */
const scripts = new Map<string, Promise<void>>()

/** Loads the script of a processor once; rejects if the network or a content blocker stops it. */
export function loadScript(address: string): Promise<void> {
  const known = scripts.get(address)
  if (known !== undefined) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      scripts.delete(address)
      script.remove()
      reject(new Error('The script of the processor was not loaded'))
    })
    script.src = address
    document.head.append(script)
  })
  scripts.set(address, loading)
  return loading
}

/** Lets the next call of `loadScript` load a script again. */
export function forgetScript(address: string): void {
  scripts.delete(address)
}
