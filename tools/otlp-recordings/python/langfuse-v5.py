# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "langfuse==5.0.4",
# ]
# ///
from langfuse_calls import main

main()
