"""Try finclaw without a key: a scripted model over real tools and made-up prices."""
