package dev.joblock.sample.files;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.springframework.batch.infrastructure.item.file.mapping.FieldSetMapper;
import org.springframework.batch.infrastructure.item.file.transform.FieldSet;

/** Reads the fields of a line, strictly: what is not as agreed makes the line a broken one. Stateless. */
public class DeliveredRowMapper implements FieldSetMapper<DeliveredRow> {

    @Override
    public DeliveredRow mapFieldSet(FieldSet fields) {
        return new DeliveredRow(
                text(fields, "reference"),
                text(fields, "account"),
                new BigDecimal(text(fields, "amount")),
                LocalDate.parse(text(fields, "booked")));
    }

    private static String text(FieldSet fields, String name) {
        String text = fields.readString(name);
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("no " + name);
        }
        return text;
    }
}
