# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "langfuse==3.15.0",
# ]
# ///
# Stays below: langfuse 4
from langfuse_calls import main

main()
