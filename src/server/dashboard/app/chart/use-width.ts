import { useEffect, useRef, useState } from 'preact/hooks'

/** The width of an element as it is on the screen. */
export function useWidth<Of extends Element>(initial: number) {
  const ref = useRef<Of>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.max(80, Math.round(element.clientWidth))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
