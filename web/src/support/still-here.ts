import { useEffect, useRef } from 'react'

/** Whether a part is still on the screen: what fails after somebody went on must be said elsewhere. */
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
