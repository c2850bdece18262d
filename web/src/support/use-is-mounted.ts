import { useEffect, useRef } from 'react'

/** Whether a component is still mounted: a failure after the worker moved on must be shown elsewhere. */
export function useIsMounted() {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
