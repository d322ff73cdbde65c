# /// script
# requires-python = ">=3.11"
# dependencies = [
# ]
# ///
 M record.py
?? fake_model.py
?? programs/
?? recordings/openinference-openai/
?? recordings/openllmetry-openai/
