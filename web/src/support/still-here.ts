import { useEffect, useRef } from 'react'

/** Whether a component is still mounted: a failure after the worker moved on must be shown elsewhere. */
export function useStillHere() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}
