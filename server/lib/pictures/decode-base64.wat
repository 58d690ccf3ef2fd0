;; Decodes base64, sixteen characters to twelve bytes at a time, by vector instructions. After Wojciech Muła and
;; Daniel Lemire, "Faster Base64 Encoding and Decoding using AVX2 Instructions" (2018). `decode-base64.wasm` beside
;; it is what this makes (`npm run wasm`); a test compares them.
(module
  ;; Of one page: these constants, then what is decoded, then what it is decoded to, as base64-wasm.ts places them.
  (memory (export "memory") 1)
  (data (i32.const 0)
    ;; 0: the low half of a byte
    "\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f\0f"
    ;; 16, 32: what the low and the high half of a character rule out; both at once say that it is none of the alphabet
    "\15\11\11\11\11\11\11\11\11\11\13\1a\1b\1b\1b\1a"
    "\10\10\01\02\04\08\04\08\10\10\10\10\10\10\10\10"
    ;; 48: how far a character is from its value, by its high half, where "/" counts as one of its own
    "\00\10\13\04\bf\bf\b9\b9\00\00\00\00\00\00\00\00"
    ;; 64
    "////////////////"
    ;; 80, 96: two values of 6 bits become one of 12, and two of 12 one of 24
    "\40\01\40\01\40\01\40\01\40\01\40\01\40\01\40\01"
    "\00\10\01\00\00\10\01\00\00\10\01\00\00\10\01\00"
    ;; 112: the three bytes of each, the highest first, without the fourth
    "\02\01\00\06\05\04\0a\09\08\0e\0d\0c\ff\ff\ff\ff")

  ;; Whether all characters in [from, end) are of the alphabet; if so, their bytes are at `to`, and four more are
  ;; overwritten behind them. There is at least one sixteen, and no part of one.
  (func (export "decode") (param $from i32) (param $end i32) (param $to i32) (result i32)
    (local $characters v128) (local $high v128) (local $wrong v128)
    ;; Constants are made anew at each use, which takes longer than all the rest; what is loaded once stays in registers.
    (local $low-half v128) (local $low-rules v128) (local $high-rules v128) (local $distances v128)
    (local $slashes v128) (local $to-12-bits v128) (local $to-24-bits v128) (local $order v128)
    (local.set $low-half (v128.load (i32.const 0)))
    (local.set $low-rules (v128.load (i32.const 16)))
    (local.set $high-rules (v128.load (i32.const 32)))
    (local.set $distances (v128.load (i32.const 48)))
    (local.set $slashes (v128.load (i32.const 64)))
    (local.set $to-12-bits (v128.load (i32.const 80)))
    (local.set $to-24-bits (v128.load (i32.const 96)))
    (local.set $order (v128.load (i32.const 112)))
    (loop $next
      (local.set $characters (v128.load (local.get $from)))
      (local.set $high
        (v128.and (i32x4.shr_u (local.get $characters) (i32.const 4)) (local.get $low-half)))
      (local.set $wrong
        (v128.or
          (local.get $wrong)
          (v128.and
            ;; "Relaxed" is what no index here can tell from the other: all are below 16, or their result is not used.
            (i8x16.relaxed_swizzle
              (local.get $low-rules)
              (v128.and (local.get $characters) (local.get $low-half)))
            (i8x16.relaxed_swizzle (local.get $high-rules) (local.get $high)))))
      (v128.store (local.get $to)
        (i8x16.relaxed_swizzle
          (i32x4.dot_i16x8_s
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (i8x16.add
                (local.get $characters)
                (i8x16.relaxed_swizzle
                  (local.get $distances)
                  ;; Equal is -1, so the "/" is looked up one to the left.
                  (i8x16.add
                    (local.get $high)
                    (i8x16.eq (local.get $characters) (local.get $slashes)))))
              (local.get $to-12-bits))
            (local.get $to-24-bits))
          (local.get $order)))
      (local.set $to (i32.add (local.get $to) (i32.const 12)))
      (br_if $next
        (i32.lt_u
          (local.tee $from (i32.add (local.get $from) (i32.const 16)))
          (local.get $end))))
    (i32.eqz (v128.any_true (local.get $wrong)))))
